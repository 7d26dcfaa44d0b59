import { routes } from '../../contract/index.ts'
import type { Input } from '../../contract/route.ts'
import { buildSession, type Person } from './builders.ts'
import type { Harness } from './harness.ts'

export const MINUTE_MS = 60_000

type Body = Partial<Input<typeof routes.saveMassMessage>['body']>

/** What tests of mass messages do and look at, on the server that their file starts before its first test. */
export function massMessages(server: () => Harness) {
  const fresh = async ({ id }: Person) => server().api.as({ token: await buildSession(server(), id) })
  const follow = (fan: Person, creator: Person) =>
    server()
      .api.as(fan)
      .call(routes.toggleFollow, { body: { followingId: creator.id } })
  const conversation = async (person: Person, other: Person) =>
    (await fresh(person)).call(routes.messages, { query: { recipientId: other.id } })
  const inbox = async (person: Person) =>
    (await (await fresh(person)).call(routes.conversations, { query: {} })).conversations

  async function send(creator: Person, body: Body = {}) {
    return (await fresh(creator)).call(routes.saveMassMessage, {
      body: { content: 'New set is up', audience: 'followers', ...body },
    })
  }
  const refusal = (creator: Person, body: Body) =>
    send(creator, body).then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    )
  async function shown(creator: Person, id: string) {
    const { items } = await (await fresh(creator)).call(routes.massMessages, { query: {} })
    return items.find(({ _id }) => _id === id)
  }
  const unsend = async (creator: Person, massMessageId: string) =>
    (await fresh(creator)).call(routes.unsendMassMessage, { body: { massMessageId } })
  const soon = (minutes: number) =>
    new Date(server().clock.now().getTime() + minutes * MINUTE_MS).toISOString()

  const takeDown = (mediaId: string) =>
    server()
      .context.db.updateTable('media')
      .set({ quarantined_at: server().clock.now() })
      .where('id', '=', mediaId)
      .execute()

  /** The events that this creator got about their mass messages. */
  async function told(creator: Person) {
    const rows = await server()
      .context.db.selectFrom('notifications')
      .select('data')
      .where('user_id', '=', creator.id)
      .where('kind', '=', 'mass-message.changed')
      .execute()
    return new Set(rows.map(({ data }) => data))
  }

  return { fresh, follow, conversation, inbox, send, refusal, shown, unsend, soon, takeDown, told }
}
