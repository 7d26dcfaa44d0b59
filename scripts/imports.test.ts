import { dirname, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkImports } from './imports.ts'
import { plantProject } from './planted-project.ts'

/** Each line: rule, who imports, what. `type` imports only a type. */
const breaches = `
  no-cycles                         server/a.ts                            server/b.ts
  resolvable                        server/c.ts                            server/missing.ts
  resolvable                        server/c.ts                            no-such-package
  installed-for-production          server/c.ts                            fast-check
  contract-stands-alone             contract/money.ts                      server/b.ts
  contract-stands-alone             contract/money.ts                      kysely
  contract-stands-alone             contract/money.ts                      node:fs
  client-apart                      client/lib/call.ts                     server/b.ts
  client-apart                      client/lib/call.ts                     sandbox/mail/plugin.ts
  server-apart                      server/c.ts                            client/lib/call.ts
  server-apart                      server/c.ts                            sandbox/mail/plugin.ts
  server-apart                      server/c.ts                            main.ts
  sandbox-apart                     sandbox/mail/plugin.ts                 server/b.ts
  sandbox-apart                     sandbox/mail/plugin.ts                 client/lib/call.ts
  sandbox-only-in-sandboxes         e2e/buy.story.ts                       sandbox/mail/plugin.ts
  sandboxes-in-product-and-tests    server/c.ts                            sandboxes.ts
  testing-only-in-tests             server/c.ts                            server/testing/harness.ts
  features-point-down               client/features/media/Grid.tsx         client/features/commerce/Price.tsx
  across-features-api-and-parts     client/features/media/Grid.tsx         client/features/profiles/Header.tsx
  features-below-app                client/features/media/Grid.tsx         client/app/App.tsx
  ui-knows-no-domain                client/ui/Card.tsx                     client/features/media/Grid.tsx
  ui-knows-no-domain                client/lib/call.ts                     client/app/App.tsx
  domains-point-down                server/domains/media/actions.ts        server/domains/commerce/data.ts
  domains-point-down                server/domains/identity/data.ts        server/domains/site/actions.ts
  across-domains-data-and-actions   server/domains/commerce/offers/routes.ts  server/domains/media/present.ts
  rules-are-pure                    server/domains/media/rules.ts          server/domains/media/data.ts
  rules-are-pure                    server/domains/media/rules.ts          node:fs
  kysely-in-data-and-actions        server/domains/media/routes.ts         kysely
  kysely-in-data-and-actions        server/domains/media/jobs.ts           type kysely
  ports-not-adapters                server/domains/media/actions.ts        server/ports/storage/disk/adapter.ts
  below-the-domains                 server/ports/storage/port.ts           server/domains/media/data.ts
  below-the-domains                 server/db/client.ts                    server/http/mount.ts
  below-the-domains                 server/jobs/runner.ts                  server/domains/media/jobs.ts
  http-knows-no-domain              server/http/mount.ts                   server/domains/media/routes.ts
  domains-know-no-http              server/domains/media/actions.ts        server/http/mount.ts
  fastify-in-http                   server/domains/media/routes.ts         fastify
  fastify-in-http                   server/jobs/runner.ts                  @fastify/cookie
`

/** Imports that the rules must allow, in the same form. */
const allowed = `
  main.ts                                server/b.ts
  main.ts                                product.ts
  product.ts                             sandboxes.ts
  sandboxes.ts                           sandbox/mail/plugin.ts
  sandbox/mail/plugin.ts                 fastify
  server/testing/harness.ts              sandboxes.ts
  server/http/mount.ts                   fastify
  server/context.ts                      server/ports/storage/disk/adapter.ts
  server/domains/commerce/offers/rules.ts  contract/money.ts
  server/domains/commerce/offers/rules.ts  type server/domains/commerce/offers/data.ts
  server/domains/commerce/offers/data.ts kysely
  server/domains/commerce/offers/data.ts server/domains/media/data.ts
  server/domains/commerce/offers/actions.ts  server/ports/storage/port.ts
  server/domains/commerce/offers/offers.test.ts  server/testing/harness.ts
  server/domains/commerce/offers/offers.test.ts  fast-check
  client/features/media/Grid.tsx         client/ui/Card.tsx
  client/app/App.tsx                     client/features/media/Grid.tsx
  contract/money.ts                      zod
`

type Import = { from: string; to: string; text: string }

describe('the rules of who may import whom', () => {
  let problems: string[]

  beforeAll(async () => {
    const imports = table(breaches).map(([, from, to]): [string, string] => [from, to])
    using project = plantProject(files([...imports, ['server/b.ts', 'server/a.ts']]))
    problems = await checkImports(project.folder)
  })

  it.each(table(breaches))('%s: refuse %s importing %s', (rule, from, to) => {
    const name = to.replace(/^type |^node:|^.*\//, '')
    expect(
      problems.filter((problem) => problem.startsWith(`${from} -> `) && problem.includes(name)).join('\n'),
    ).toContain(`: ${rule}. `)
  })

  it('let through what the architecture wants', async () => {
    using project = plantProject(files(table(allowed).map(([from = '', to = '']) => [from, to])))
    expect(await checkImports(project.folder)).toEqual([])
  })

  it('fail where there is nothing to read', async () => {
    using project = plantProject({})
    expect(await checkImports(project.folder)).toEqual(['There is no file to check.'])
  })
})

function table(text: string): [string, string, string][] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [first = '', second = '', ...rest] = line.trim().split(/\s+/)
      return rest.length > 0 && second !== 'type'
        ? [first, second, rest.join(' ')]
        : [first, [second, ...rest].join(' '), '']
    })
}

/** The files of these imports, the imported ones included. */
function files(imports: [string, string][]): Record<string, string> {
  const all: Record<string, string> = {}
  for (const { from, to, text } of imports.map(parse)) {
    all[from] = `${all[from] ?? ''}${text}\n`
    if (to !== 'server/missing.ts' && /\.tsx?$/.test(to)) all[to] ??= ''
  }
  return all
}

function parse([from, to]: [string, string]): Import {
  const target = to.replace(/^type /, '')
  const path = relative(dirname(from), target)
  const name = !/\.tsx?$/.test(target) ? target : path.startsWith('.') ? path : `./${path}`
  return { from, to: target, text: to === target ? `import '${name}'` : `import type {} from '${name}'` }
}
