import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../db/client.ts'
import type { CommerceTables } from '../db/tables/commerce.ts'
import { buildBundle, buildMedia, buildPlan, type Person } from './builders.ts'
import { gatewayCaptures } from './gateway.ts'
import type { Harness } from './harness.ts'

export type Kind = CommerceTables['purchases']['kind']
export const KINDS: Kind[] = ['single', 'bundle', 'subscription']

/** Something to buy of this kind; a bundle or subscription holds two items. */
export async function buildItem(
  harness: Harness,
  creator: Person,
  kind: Kind,
  priceCents = 999,
): Promise<string> {
  if (kind === 'single') return buildMedia(harness, creator, { showInStore: true, priceCents })
  const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
  return kind === 'bundle'
    ? buildBundle(harness, creator, { priceCents, mediaIds })
    : buildPlan(harness, creator, { priceCents, mediaIds })
}

/** What there is of a person's purchases: how often they were charged at the gateway, and what is recorded here. */
export async function purchaseTraces(
  harness: Harness,
  buyer: Person,
): Promise<{ statuses: string[]; charged: number; granted: number; sales: number }> {
  const { db } = harness.context
  const purchases = await db
    .selectFrom('purchases')
    .select(['status', 'reference'])
    .where('buyer_id', '=', buyer.id)
    .execute()
  const references = new Set(purchases.map(({ reference }) => reference))
  const captures = await gatewayCaptures(harness)
  const granted = await db.selectFrom('entitlements').select('id').where('user_id', '=', buyer.id).execute()
  const sales = await db
    .selectFrom('journals')
    .innerJoin('purchases', 'purchases.id', 'journals.order_id')
    .select('journals.id')
    .where('purchases.buyer_id', '=', buyer.id)
    .execute()
  return {
    statuses: purchases.map(({ status }) => status).sort(),
    charged: captures.filter(({ invoiceNumber }) => references.has(invoiceNumber)).length,
    granted: granted.length,
    sales: sales.length,
  }
}

/** The traces of one purchase that was paid and granted, and of none. */
export const ONE_SALE = { statuses: ['captured'], charged: 1, granted: 1, sales: 1 }
export const NO_TRACES = { statuses: [], charged: 0, granted: 0, sales: 0 }

/** A purchase that came about another way, with what its item holds now, or a place for what is not there. */
export function insertPurchase(
  db: Db | Tx,
  values: Insertable<CommerceTables['purchases']>,
): Promise<string> {
  if (db.isTransaction) return insertWithItems(db as Tx, values)
  return db.transaction().execute((tx) => insertWithItems(tx, values))
}

/** A purchase of something that is gone, which the creator has on their books. */
export function insertSale(
  harness: Harness,
  {
    buyer,
    creator,
    status = 'captured',
  }: { buyer: Person; creator: Person; status?: CommerceTables['purchases']['status'] },
): Promise<string> {
  return insertPurchase(harness.context.db, {
    buyer_id: buyer.id,
    creator_id: creator.id,
    kind: 'single',
    item_id: creator.id,
    title: 'A single',
    amount_cents: 400,
    status,
    reference: crypto.randomUUID().slice(0, 20),
    gateway_transaction_id: crypto.randomUUID(),
    created_at: harness.clock.now(),
  })
}

async function insertWithItems(db: Tx, values: Insertable<CommerceTables['purchases']>): Promise<string> {
  const { id } = await db.insertInto('purchases').values(values).returning('id').executeTakeFirstOrThrow()
  if (values.kind === 'subscription') return id
  const { numAffectedRows } = await sql`
    insert into purchase_items (purchase_id, position, media_id, version_id)
    select ${id}, row_number() over (order by id) - 1, id, version_id from media
    where id = ${values.item_id} or id in (select media_id from bundle_media where bundle_id = ${values.item_id})`.execute(
    db,
  )
  if (!numAffectedRows)
    await db.insertInto('purchase_items').values({ purchase_id: id, position: 0 }).execute()
  return id
}
