import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../db/embedded/postgres.ts'
import { prepareTemplate } from './template.ts'

const packages = join(import.meta.dirname, '..', '..', 'node_modules')

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the PostgreSQL of this run; each test file clones a database of its own there. */
    databaseUrl: string
    /** Where the server that tests kill is built, once one of them needs it: beside the packages that it loads. */
    killServerFolder: string
  }
}

/**
 * Starts the one PostgreSQL of a test run and prepares the template in it; `TEST_DATABASE_URL` names another one
 * to use, whose user may create databases.
 * @returns how to end it
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { connectionString, stop } = await database()
  try {
    await prepareTemplate(connectionString)
  } catch (error) {
    await stop()
    throw error
  }
  const killServerFolder = join(packages, '.cache', `kill-server-${crypto.randomUUID()}`)
  project.provide('databaseUrl', connectionString)
  project.provide('killServerFolder', killServerFolder)
  const forgetKillServer = async () => {
    for (const folder of [killServerFolder, `${killServerFolder}-unfinished`])
      await rm(folder, { recursive: true, force: true })
  }
  project.onTestsRerun(forgetKillServer)
  return async () => {
    await stop()
    await forgetKillServer()
  }
}

async function database(): Promise<{ connectionString: string; stop(): Promise<void> }> {
  const connectionString = process.env.TEST_DATABASE_URL
  if (connectionString) return { connectionString, stop: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-test-database-'))
  const postgres = await startEmbeddedPostgres({ dataDir, throwaway: true })
  return {
    connectionString: postgres.connectionString,
    stop: async () => {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
