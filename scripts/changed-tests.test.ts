import { describe, expect, it } from 'vitest'
import { testsFor } from './changed-tests.ts'

const graph = new Map([
  ['contract/index.ts', ['contract/routes/media/tags.ts', 'contract/routes/profiles/follow.ts']],
  ['contract/routes/media/tags.ts', []],
  ['contract/routes/profiles/follow.ts', []],
  ['server/main.ts', ['server/app.ts']],
  ['server/app.ts', ['server/domains/media/tags/routes.ts', 'server/domains/profiles/following/routes.ts']],
  ['server/domains/media/tags/routes.ts', ['server/domains/media/tags/data.ts']],
  ['server/domains/media/tags/data.ts', ['server/domains/profiles/following/data.ts']],
  ['server/domains/media/tags/tags.test.ts', ['server/testing/harness.ts', 'contract/index.ts']],
  ['server/domains/profiles/following/routes.ts', ['server/domains/profiles/following/data.ts']],
  ['server/domains/profiles/following/data.ts', ['server/streams/merge.ts']],
  ['server/domains/profiles/profiles.test.ts', ['server/testing/harness.ts', 'contract/index.ts']],
  ['server/streams/merge.ts', []],
  ['server/streams/merge.test.ts', ['server/streams/merge.ts']],
  ['server/testing/harness.ts', ['server/main.ts']],
  ['server/testing/matrix.test.ts', ['server/testing/harness.ts', 'contract/index.ts']],
])

describe('a change runs', () => {
  it.each([
    ['a test itself', 'server/domains/media/tags/tags.test.ts', ['server/domains/media/tags/tags.test.ts']],
    [
      'the tests beside what changed, and no others that go in by the front door',
      'server/domains/media/tags/data.ts',
      ['server/domains/media/tags/tags.test.ts'],
    ],
    [
      'those of the nearest folder above, and beside what imports it',
      'server/domains/profiles/following/data.ts',
      ['server/domains/media/tags/tags.test.ts', 'server/domains/profiles/profiles.test.ts'],
    ],
    [
      'those that import it at any distance',
      'server/streams/merge.ts',
      [
        'server/domains/media/tags/tags.test.ts',
        'server/domains/profiles/profiles.test.ts',
        'server/streams/merge.test.ts',
      ],
    ],
    [
      'what asks every call, when the contract changed',
      'contract/routes/media/tags.ts',
      ['server/testing/matrix.test.ts'],
    ],
    ['nothing for a text', 'README.md', []],
  ])('%s', (_what, changed, wanted) => {
    expect(testsFor([changed], graph)).toEqual(wanted)
  })
})
