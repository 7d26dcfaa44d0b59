import { expect } from 'vitest'
import { routes } from '../../../contract/index.ts'
import type { Payments } from '../../ports/payments/port.ts'
import { type Api, Refused } from '../api.ts'
import { buildFan, buildSession, buildUser, type Person } from '../builders.ts'
import { gatewayThatIsDown } from '../gateway.ts'
import { type Harness, startHarness } from '../harness.ts'
import { Model } from './model.ts'
import { buildSeller, PRICES, type Seller } from './sellers.ts'
import { endOf, type Sub } from './subs.ts'

const MINUTE_MS = 60_000
export const CREATORS = 2
export const FANS = 3

type Opened = Pick<World, 'harness' | 'model' | 'sellers' | 'fans' | 'operators' | 'gateway'>

/** Creators with something to sell, fans who follow them, and two operators. */
export async function openWorld(): Promise<Opened> {
  const harness = await startHarness()
  const sellers: Seller[] = []
  for (let made = 0; made < CREATORS; made++) sellers.push(await buildSeller(harness))
  const fans = await Promise.all(Array.from({ length: FANS }, () => buildFan(harness)))
  // Who follows a creator can be written to.
  for (const fan of fans)
    for (const { person } of sellers)
      await harness.api.as(fan).call(routes.toggleFollow, { body: { followingId: person.id } })
  const operator = () => buildUser(harness, { role: 'finance' })
  const shop = { ...PRICES, isAsking: false, paidOut: 0, discount: null, trial: null }
  const model = new Model(sellers.map(() => ({ ...shop })))
  const gateway = { up: harness.context.payments, down: gatewayThatIsDown(harness) }
  return { harness, model, sellers, fans, operators: [await operator(), await operator()], gateway }
}

/** A business on the real server beside its model. */
export class World {
  readonly done: Record<string, number> = {}
  readonly harness: Harness
  readonly model: Model
  readonly sellers: Seller[]
  readonly fans: Person[]
  readonly operators: [Person, Person]
  /** The gateway, and one that can’t be reached. */
  readonly gateway: { up: Payments; down: Payments }
  private readonly sessions = new Map<string, { api: Api; until: Date }>()

  constructor({ harness, model, sellers, fans, operators, gateway }: Opened) {
    this.harness = harness
    this.model = model
    this.sellers = sellers
    this.fans = fans
    this.operators = operators
    this.gateway = gateway
  }

  get now(): Date {
    return this.harness.clock.now()
  }

  async as(person: Person): Promise<Api> {
    const known = this.sessions.get(person.id)
    if (known && known.until > this.now) return known.api
    const token = await buildSession(this.harness, person.id, { reauthenticatedAt: this.now })
    const until = new Date(this.now.getTime() + 4 * MINUTE_MS)
    const api = this.harness.api.as({ token })
    this.sessions.set(person.id, { api, until })
    return api
  }

  /** One more of these was done. */
  count(what: string): void {
    this.done[what] = (this.done[what] ?? 0) + 1
  }

  /** What a call refuses with, or null, as the model says. */
  async says(what: string, expected: string | null, call: Promise<unknown>): Promise<boolean> {
    const code = await call.then(
      () => null,
      (error: unknown) => {
        if (error instanceof Refused) return error.code
        throw error
      },
    )
    expect({ what, code }).toEqual({ what, code: expected })
    this.count(expected === null ? what : `${what}: ${expected}`)
    return code === null
  }

  /** A new subscription begins when its charge was recorded. */
  async identify(sub: Sub): Promise<void> {
    const api = await this.as(this.fans[sub.fan] as Person)
    const { items } = await api.call(routes.ownSubscriptions, { query: {} })
    const { person } = this.sellers[sub.creator] as Seller
    const own = items.find(({ creator }) => creator._id === person.id)
    sub.id = own?._id ?? ''
    const startedAt = new Date(own?.startedAt ?? 0)
    expect(Math.abs(startedAt.getTime() - this.now.getTime())).toBeLessThan(MINUTE_MS)
    sub.anchor = sub.status === 'trialing' ? new Date(own?.expiration ?? 0) : startedAt
    sub.dueAt = endOf(sub)
  }
}
