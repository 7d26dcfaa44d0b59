import { defineConfig } from 'vitest/config'

const shared = { environment: 'node', pool: 'forks' } as const

export default defineConfig({
  test: {
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
