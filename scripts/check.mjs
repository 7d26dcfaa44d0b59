import './node-version.mjs'

const { runChecks } = await import('./checks.ts')
const { failed } = await runChecks()
process.exitCode = failed === 0 ? 0 : 1
