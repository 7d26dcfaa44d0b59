import { createHash } from 'node:crypto'
import { TERMS_VERSION } from '../../contract/constants.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { countTags } from '../domains/media/tags/actions.ts'
import type { Scene } from './artwork.ts'
import type { SampleCreator } from './people.ts'
import { type MadeMedia, makePicture, makeProfileImage, makeVideoFile } from './pictures.ts'

const PICTURES_PER_CREATOR = 18
const DAY_MS = 24 * 3600 * 1000
const SHAPES = [
  { width: 960, height: 1200 },
  { width: 960, height: 960 },
  { width: 1200, height: 960 },
  { width: 960, height: 1280 },
] as const

const WORDS: Record<Scene, readonly string[]> = {
  mountains: ['Saddle', 'North face', 'Second ridge', 'The long way down', 'Cairn', 'Before the wind'],
  sea: ['Slack water', 'Low sun', 'Spring tide', 'Lee shore', 'Horizon, 6 a.m.', 'After the ferry'],
  dunes: ['Barchan', 'Noon', 'Lee side', 'Footprints', 'Salt flat', 'Third camp'],
  night: ['No moon', 'Vega rising', 'Half past two', 'Frost', 'Milky', 'Waiting'],
  garden: ['Seed heads', 'Umbel', 'First of June', 'Volunteers', 'Rain at last', 'Late bloom'],
  pottery: ['Celadon', 'Test tiles', 'Salt glaze', 'Three jars', 'Unfired', 'Second shelf'],
}

/** Tags of the base set that fit a scene. */
const TAGS: Record<Scene, readonly string[]> = {
  mountains: ['Nature', 'Outdoor', 'Travel'],
  sea: ['Beach', 'Nature', 'Summer'],
  dunes: ['Travel', 'Nature', 'Photography'],
  night: ['Night', 'Timelapse', 'Photography'],
  garden: ['Home', 'Close-up', 'Summer'],
  pottery: ['Art', 'Studio', 'Behind the scenes'],
}

/** How each of a creator's pictures is offered, by its number. */
export type Offer = 'free' | 'single' | 'subscription' | 'bundle'

function offerOf(index: number): Offer {
  if (index % 3 === 0) return 'free'
  return index % 3 === 1 ? (index % 2 ? 'single' : 'subscription') : index % 2 ? 'subscription' : 'bundle'
}

export type SampleItem = {
  id: string
  creatorId: string
  offer: Offer
  title: string
  priceCents: number
  createdAt: Date
  tags: readonly string[]
  media: MadeMedia
}

/** The version of the terms that somebody agreed to then: today's, or for what is older an invented one of its half-year. */
export function termsVersionAt(moment: Date): string {
  const day = moment.toISOString().slice(0, 10)
  if (day >= TERMS_VERSION) return TERMS_VERSION
  return `${day.slice(0, 4)}-${day.slice(5, 7) < '07' ? '01' : '07'}-01`
}

/** The same id for the same name, so that loading again after a crash writes over what it wrote before. */
export function sampleId(name: string): string {
  const hex = createHash('sha256').update(`fanfare sample ${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Draws everything that one creator shows; two pictures at a time. */
export async function makeItems(context: Context, creator: SampleCreator, now: Date): Promise<SampleItem[]> {
  const creatorId = sampleId(creator.username)
  const items: SampleItem[] = []
  const makeOne = async (index: number) => {
    const scene = creator.scenes[index % creator.scenes.length] ?? 'sea'
    const id = sampleId(`${creator.username} ${index}`)
    const seed = parseInt(id.slice(0, 8), 16)
    const video = index === 4
    const shape = SHAPES[seed % SHAPES.length] ?? SHAPES[0]
    const media = video
      ? await makeVideoFile(context, id, { scene, seed })
      : await makePicture(context, id, { scene, seed, ...shape })
    const words = WORDS[scene]
    items.push({
      id,
      creatorId,
      // Some videos are free, so that discover has some.
      offer: video && seed % 2 === 0 ? 'free' : offerOf(index),
      title: words[seed % words.length] ?? scene,
      priceCents: 300 + (seed % 10) * 50,
      createdAt: new Date(now.getTime() - (index * 19 + (seed % 17)) * DAY_MS - (seed % 86400) * 1000),
      // Every other item carries all tags of its scene, the rest its first one.
      tags: video ? [...TAGS[scene], 'Slow motion'] : TAGS[scene].slice(0, index % 2 ? 3 : 1),
      media,
    })
  }
  for (let index = 0; index < PICTURES_PER_CREATOR; index += 2)
    await Promise.all([makeOne(index), makeOne(index + 1)])
  return items
}

/** A creator's profile picture and hero, as file names. */
export async function makePortraits(
  context: Context,
  creator: SampleCreator,
): Promise<{ profileImage: string; heroImage: string }> {
  const userId = sampleId(creator.username)
  const seed = parseInt(userId.slice(0, 6), 16)
  const scene = creator.scenes[0] ?? 'sea'
  return {
    profileImage: await makeProfileImage(context, userId, {
      name: 'portrait',
      scene,
      seed,
      width: 384,
      height: 384,
    }),
    heroImage: await makeProfileImage(context, userId, {
      name: 'hero',
      scene,
      seed: seed + 1,
      width: 1560,
      height: 390,
    }),
  }
}

export async function insertItems(db: Tx, items: SampleItem[]): Promise<void> {
  const tags = await db.selectFrom('tags').select(['id', 'name']).execute()
  const idsOf = (names: readonly string[]) =>
    tags.filter(({ name }) => names.includes(name)).map(({ id }) => id)
  await db
    .insertInto('media')
    .values(
      items.map(({ id, creatorId, offer, title, priceCents, createdAt, tags: names, media }) => ({
        id,
        creator_id: creatorId,
        type: media.type,
        title,
        description: `${title}. Made for the sample data.`,
        price_cents: priceCents,
        duration_seconds: media.durationSeconds,
        width: media.width,
        height: media.height,
        thumbhash: media.thumbhash,
        variants: JSON.stringify(media.variants),
        bytes: media.variants.reduce((sum, variant) => sum + variant.bytes, 0),
        must_unlock: offer !== 'free',
        show_in_search: offer === 'free' || offer === 'single',
        show_in_store: offer === 'single',
        tag_ids: idsOf(names),
        created_at: createdAt,
      })),
    )
    .execute()
  await countTags(db)
}
