import './node-version.mjs'

const { runTests } = await import('./tests.ts')
process.exitCode = (await runTests()) ? 0 : 1
