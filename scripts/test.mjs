import './node-version.mjs'

const { runChanged, runTests } = await import('./tests.ts')
const run = process.argv.includes('--changed') ? runChanged : runTests
process.exitCode = (await run()) ? 0 : 1
