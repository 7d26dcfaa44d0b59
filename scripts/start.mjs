import './node-version.mjs'

// Loaded after the check of the version: an old Node cannot read TypeScript.
const needsClient = process.argv[2] !== 'admin' && process.env.ROLE !== 'worker'
if (needsClient) {
  const { buildClientIfChanged } = await import('./client-build.ts')
  const { createLog, logFormat } = await import('../server/start/log.ts')
  const LOG_FORMAT = logFormat(process.env, process.stdout.isTTY === true)
  const log = createLog({ LOG_LEVEL: 'info', LOG_FORMAT }, (line) => process.stdout.write(line))
  const report = (sentence, isFailure) => log[isFailure ? 'fatal' : 'info'](sentence)
  if (!(await buildClientIfChanged(report))) process.exit(1)
}
await import('../main.ts')
