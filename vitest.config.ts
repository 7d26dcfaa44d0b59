import { existsSync, statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** After which a test hangs; how long one takes on a busy machine decides nothing. */
const PATIENCE_MS = 900_000

/** Short-lived objects get their room at once: growing to it by collections takes a tenth of a start. */
const execArgv = ['--min-semi-space-size=16', '--max-semi-space-size=32']

/** Bytes of memory that a run may fill with files. */
const FILES_BYTES = 4 * 2 ** 30

/** Where memory has room for a run's files, it holds them: a clone of the database is 800 files, 300 ms on a disk. */
const memory = '/dev/shm'
if (existsSync(memory)) {
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize >= FILES_BYTES) process.env.TMPDIR ??= memory
}

const shared = {
  expect: { poll: { timeout: 150_000 } },
  environment: 'node',
  pool: 'forks',
  // Each file starts what it needs by itself; loading the modules anew for each would take a third of the time.
  isolate: false,
  execArgv,
} as const

/** What waits for connections, kills and clocks leaves a quarter of two processors to others, with four at once. */
const UNITS_AT_ONCE = 4

/** For what the product runs without Vite as well: Node loads it here in the same way, with less work for each module. */
const loadedByNode = { experimental: { viteModuleRunner: false, nodeLoader: false } } as const

const unit = {
  ...shared,
  maxWorkers: UNITS_AT_ONCE,
  sequence: { groupOrder: 1 },
  testTimeout: PATIENCE_MS,
  hookTimeout: PATIENCE_MS,
  exclude: ['client/dist/**', '**/node_modules/**'],
}

/** What takes longest comes first, in this order, so that no worker is left alone with it at the end. */
const LONGEST = [
  'e2e/pages.story.ts',
  'e2e/library.story.ts',
  'e2e/operation.story.ts',
  'e2e/chat.story.ts',
  'e2e/profile.story.ts',
  'e2e/verification.story.ts',
  'e2e/buying.story.ts',
  'e2e/timeline.story.ts',
  'e2e/plan.story.ts',
  'e2e/uploads.story.ts',
  'e2e/chunked-uploads.story.ts',
  'e2e/selling-in-chat.story.ts',
  'e2e/plans.story.ts',
  'e2e/gate.story.ts',
  'e2e/talk.story.ts',
  'e2e/slice/slice.story.ts',
  'e2e/new-version.story.ts',
  'e2e/way-to-purchase.story.ts',
  'server/testing/audience/audience.test.ts',
  'server/testing/matrix.test.ts',
  'libav/samples.test.ts',
  'libav/hostile.test.ts',
  'server/testing/mails/mails.test.ts',
  'server/testing/purchase-kill.test.ts',
  'libav/refusals.test.ts',
  'libav/codecs.test.ts',
  'libav/formats.test.ts',
  'libav/images.test.ts',
  'server/testing/chat-kill.test.ts',
]

/** One more than the processors of a small machine: what waits for a browser leaves its processor to another. */
const STORIES_AT_ONCE = 3

const PROJECTS = ['stories', 'unit', 'client', 'components']

/**
 * One project after the other, the longest files first. A worker goes on with the next file, and the modules that it
 * has loaded, only where that is of the same project.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((path) => moduleId.endsWith(path))
      return at < 0 ? LONGEST.length : at
    }
    const turn = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name)
    return sorted.sort((one, other) => turn(one) - turn(other) || place(one) - place(other))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Here and not in the projects: both use the one database that it starts.
    globalSetup: ['server/testing/database.ts'],
    projects: [
      {
        test: {
          ...unit,
          ...loadedByNode,
          name: 'unit',
          include: ['{contract,server,sandbox,scripts}/**/*.test.ts'],
        },
      },
      { test: { ...unit, name: 'client', include: ['client/**/*.test.ts'] } },
      {
        test: {
          ...unit,
          name: 'components',
          environment: 'happy-dom',
          setupFiles: ['client/testing.ts'],
          include: ['client/**/*.test.tsx'],
        },
      },
      {
        test: {
          ...shared,
          ...loadedByNode,
          name: 'stories',
          setupFiles: ['e2e/windows-of-a-test.ts'],
          maxWorkers: STORIES_AT_ONCE,
          sequence: { groupOrder: 0 },
          include: ['e2e/**/*.story.ts'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
    ],
  },
})
