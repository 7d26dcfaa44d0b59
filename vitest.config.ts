import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** After which a test hangs; how long one takes on a busy machine decides nothing. */
const PATIENCE_MS = 300_000

/** Short-lived objects get their room at once: growing to it by collections takes a tenth of a start. */
const execArgv = ['--min-semi-space-size=16', '--max-semi-space-size=32']

const shared = {
  expect: { poll: { timeout: 60_000 } },
  environment: 'node',
  pool: 'forks',
  // One more than the processors of a small machine: what waits for a browser leaves its processor to another.
  maxWorkers: 3,
  // Each file starts what it needs by itself; loading the modules anew for each would take a third of the time.
  isolate: false,
  execArgv,
} as const

/** What takes longest comes first, in this order, so that no worker is left alone with it at the end. */
const LONGEST = [
  'e2e/pages.story.ts',
  'server/testing/purchase-kill.test.ts',
  'libav/samples.test.ts',
  'server/testing/matrix.test.ts',
  'e2e/slice/slice.story.ts',
  'libav/hostile.test.ts',
  'libav/refusals.test.ts',
]

/** The longest first, then the stories one after the other with unit tests between them, so that they don't starve each other. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => LONGEST.findIndex((path) => moduleId.endsWith(path))
    const long = sorted.filter((file) => rank(file) >= 0).sort((one, other) => rank(one) - rank(other))
    const short = sorted.filter((file) => rank(file) < 0)
    const stories = short.filter(({ project }) => project.name === 'stories')
    const units = short.filter(({ project }) => project.name !== 'stories')
    const share = Math.ceil(units.length / (stories.length + 1))
    const between = stories.flatMap((story, at) => [story, ...units.slice(at * share, (at + 1) * share)])
    return [...long, ...between, ...units.slice(stories.length * share)]
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
          ...shared,
          name: 'unit',
          include: ['{contract,server,sandbox,client,scripts}/**/*.test.ts'],
          exclude: ['client/dist/**', '**/node_modules/**'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
      {
        test: {
          ...shared,
          name: 'components',
          // What React keeps between two files belongs to a document; each file has its own.
          isolate: true,
          environment: 'happy-dom',
          setupFiles: ['client/testing.ts'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          include: ['client/**/*.test.tsx'],
          exclude: ['client/dist/**', '**/node_modules/**'],
        },
      },
      {
        test: {
          ...shared,
          name: 'stories',
          include: ['e2e/**/*.story.ts'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
    ],
  },
})
