import './node-version.mjs'

// Loaded after the check of the version: an old Node cannot read TypeScript.
const needsClient = process.argv[2] !== 'admin' && process.env.ROLE !== 'worker'
if (needsClient) {
  const { buildClientIfChanged } = await import('./client-build.ts')
  if (!(await buildClientIfChanged())) process.exit(1)
}
await import('../main.ts')
