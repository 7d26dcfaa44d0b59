import { configure } from '@testing-library/react'

// How long a test waits for what comes by itself decides nothing, in milliseconds.
configure({ asyncUtilTimeout: 20_000 })
