// Who may import whom. Types count as imports too, except where a rule says otherwise.

const domains = [
  'identity',
  'notifications',
  'profiles',
  'media',
  'commerce',
  'messaging',
  'promotion',
  'compliance',
  'site',
]
const tests = '\\.(test|story)\\.tsx?$'
const fastify = '(^|/)node_modules/(fastify|@fastify)/'

/** A domain never imports one that stands above it. */
const pointDown = domains.slice(0, -1).map((domain, index) => ({
  name: 'domains-point-down',
  comment: `A domain imports only those before it: ${domains.join(' < ')}.`,
  severity: 'error',
  from: { path: `^server/domains/${domain}/` },
  to: { path: `^server/domains/(${domains.slice(index + 1).join('|')})/` },
}))

/** The client's features stand in the same order; pages of no domain (`policies`, `affiliates`, `contact`) on top. */
const features = [
  'identity',
  'notifications',
  'profiles',
  'media',
  'commerce',
  'messaging',
  'promotion',
  'gate',
  'audit',
  'affiliates',
  'contact',
  'policies',
]
const featuresPointDown = features.slice(0, -1).map((feature, index) => ({
  name: 'features-point-down',
  comment: `A feature imports only those before it: ${features.join(' < ')}.`,
  severity: 'error',
  from: { path: `^client/features/${feature}/` },
  to: { path: `^client/features/(${features.slice(index + 1).join('|')})/` },
}))

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    rule('no-cycles', 'Move what both need into a third file.', {}, { circular: true }),
    rule('resolvable', 'The imported file or package does not exist.', {}, { couldNotResolve: true }),
    rule(
      'installed-for-production',
      'What runs in production is a dependency, not a devDependency.',
      {
        path: '^(main\\.ts$|product\\.ts$|contract/|server/|sandbox/|client/|scripts/start)',
        pathNot: [tests, '/testing(/|\\.ts$)'],
      },
      {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only', 'npm'],
        pathNot: 'node_modules/@types/',
      },
    ),
    rule(
      'contract-stands-alone',
      'contract runs in the browser and on the server: contract and zod only.',
      { path: '^contract/', pathNot: tests },
      { pathNot: ['^contract/', '(^|/)node_modules/zod/'] },
    ),

    rule(
      'client-apart',
      'client imports client and contract.',
      { path: '^client/' },
      { path: '^(server/|sandbox|e2e/|bench/|scripts/|(main|product)\\.ts$)' },
    ),
    rule(
      'server-apart',
      'server imports server and contract.',
      { path: '^server/' },
      { path: '^(client/|sandbox/|e2e/|bench/|scripts/|(main|product)\\.ts$)' },
    ),
    rule(
      'sandbox-apart',
      'sandbox imports sandbox and contract.',
      { path: '^sandbox/' },
      { path: '^(client/|server/|e2e/|bench/|scripts/|(main|product|sandboxes)\\.ts$)' },
    ),
    rule(
      'sandbox-only-in-sandboxes',
      'Only sandboxes.ts, which product.ts and tests start, reaches into sandbox.',
      { pathNot: '^(sandbox/|sandboxes\\.ts$)' },
      { path: '^sandbox/' },
    ),
    rule(
      'sandboxes-in-product-and-tests',
      'The server gets the addresses of outside services and never starts them.',
      { pathNot: '^(product\\.ts$|server/testing/|e2e/|bench/)' },
      { path: '^sandboxes\\.ts$' },
    ),
    rule(
      'testing-only-in-tests',
      'server/testing is for tests.',
      { pathNot: ['^server/testing/', tests, '^e2e/', '^bench/', '^vitest\\.config\\.ts$'] },
      { path: '^server/testing/' },
    ),
    ...featuresPointDown,
    rule(
      'across-features-api-and-parts',
      'Of another feature only api.ts and parts/ may be imported.',
      { path: '^client/features/([^/]+)/' },
      {
        path: '^client/features/',
        pathNot: ['^client/features/$1/', '^client/features/[^/]+/(api\\.ts$|parts/)'],
      },
    ),
    rule(
      'features-below-app',
      'Features know nothing of the app.',
      { path: '^client/features/' },
      { path: '^client/app/' },
    ),
    rule(
      'ui-knows-no-domain',
      'client/ui and client/lib know neither app nor features.',
      { path: '^client/(ui|lib)/' },
      { path: '^client/(app|features)/' },
    ),

    ...pointDown,
    rule(
      'across-domains-data-and-actions',
      'Of another domain only data.ts and actions.ts may be imported.',
      { path: '^server/domains/([^/]+)/' },
      { path: '^server/domains/', pathNot: ['^server/domains/$1/', '/(data|actions)\\.ts$'] },
    ),
    rule(
      'rules-are-pure',
      'rules.ts imports contract, zod and other rules; types from anywhere.',
      { path: '^server/domains/.*/rules\\.ts$' },
      {
        pathNot: ['^contract/', '(^|/)node_modules/zod/', '/rules\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'kysely-in-data-and-actions',
      'In a domain only data.ts and actions.ts write queries.',
      { path: '^server/domains/', pathNot: ['/(data|actions)\\.ts$', tests] },
      { path: '(^|/)node_modules/(kysely|pg)/' },
    ),
    rule(
      'ports-not-adapters',
      'Which adapter it is, is chosen in server/context.ts alone: import its port.ts.',
      {
        path: '^(server|(main|product)\\.ts$)',
        pathNot: ['^server/(ports|testing|sample)/', '^server/context\\.ts$'],
      },
      { path: '^server/ports/', pathNot: '^server/ports/[^/]+/port\\.ts$' },
    ),
    rule(
      'below-the-domains',
      'ports, db, jobs and realtime never import domains or http.',
      { path: '^server/(ports|db|jobs|realtime)/' },
      { path: '^server/(domains|http)/' },
    ),
    rule(
      'http-knows-no-domain',
      'app.ts passes the handlers to http.',
      { path: '^server/http/' },
      { path: '^server/domains/' },
    ),
    rule(
      'domains-know-no-http',
      'A handler gets what it needs; actions do not know HTTP.',
      { path: '^server/domains/', pathNot: ['/(routes|realtime)\\.ts$', tests] },
      { path: '^server/(http/|app\\.ts$)' },
    ),
    rule(
      'fastify-in-http',
      'On the server Fastify stays in http/, app.ts and main.ts.',
      {
        path: '^(server|contract|client|e2e)/',
        pathNot: ['^server/(http/|testing/|app\\.ts$|main\\.ts$)', tests],
      },
      { path: fastify },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^client/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
