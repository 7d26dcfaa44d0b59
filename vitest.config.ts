import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const shared = { environment: 'node', pool: 'forks' } as const

/** What takes longest, so that no worker is left alone with it at the end. */
const LONGEST = /(slice\.story|pages\.story|purchase-kill\.test|samples\.test|hostile\.test)\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
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
          include: ['{contract,server,sandbox,client,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['client/dist/**', '**/node_modules/**'],
          maxWorkers: 2,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'stories',
          include: ['e2e/**/*.story.ts'],
          maxWorkers: 2,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
