import { afterEach, beforeEach } from 'vitest'
import { testEnds, testStarts } from './lent-pages.ts'

// What a test opened and left ends with it: its pages would go on asking, and loading our code takes the next one longer.
beforeEach(testStarts)
afterEach(testEnds)
