import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, Success } from '../../schemas.ts'
import { Reduced } from '../media/viewing.ts'
import {
  ContentsChange,
  ContentsChanged,
  MediaIds,
  Price,
  Showing,
  ShowingChange,
  Title,
} from './subscriptions.ts'

/** A set of items sold at one price; `ownedCount` is how many of them the viewing fan already has. */
export const Bundle = z.object({
  _id: Id,
  userId: Id,
  title: z.string(),
  ...Showing.shape,
  price: z.string(),
  /** Buyers who own some of it for good pay for the rest alone. */
  lessOwned: z.boolean(),
  reduced: Reduced,
  mediaIds: z.array(Id),
  /** Fingerprint of its contents now; a purchase sends it back. */
  contentsVersion: z.string(),
  photoCount: z.number().int(),
  videoCount: z.number().int(),
  /** Total seconds of its videos. */
  videoSeconds: z.number().int(),
  ownedCount: z.number().int(),
  /** Bought as a whole, or had item by item for good: it can’t be bought. */
  purchased: z.boolean(),
})

export const bundleRoutes = {
  createBundle: route({
    method: 'POST',
    path: '/users/create/bundle',
    summary: 'Creates a bundle to sell.',
    access: 'creator',
    publishing: 'required',
    self: 'userId',
    idempotent: true,
    body: z.object({
      userId: Id.optional(),
      title: Title,
      price: Price,
      /** Whether buyers who own some of it for good pay for the rest alone. */
      lessOwned: z.boolean().default(true),
    }),
    output: Bundle,
  }),
  bundle: route({
    method: 'GET',
    path: '/users/bundle/:id',
    summary: 'One bundle.',
    access: 'user',
    params: z.object({ id: Id }),
    output: Bundle,
  }),
  editBundle: route({
    method: 'POST',
    path: '/users/edit/bundle',
    summary:
      'Edits a bundle’s title, price, and media. Buyers keep what it contained when they bought it. What is left out stays as it is.',
    access: 'creator',
    publishing: 'required',
    body: ShowingChange.extend({
      bundleId: Id,
      title: Title.optional(),
      price: Price.optional(),
      lessOwned: z.boolean().optional(),
      mediaIds: MediaIds.optional(),
    }),
    output: Bundle,
  }),
  editBundleMedia: route({
    method: 'POST',
    path: '/users/edit/bundlemedia',
    summary:
      'Adds items to a bundle of the caller’s or removes some. Buyers keep what it held when they bought it.',
    access: 'creator',
    publishing: 'required',
    body: ContentsChange.extend({ bundleId: Id }),
    output: ContentsChanged,
  }),
  retireBundle: route({
    method: 'POST',
    path: '/users/retire/bundle',
    summary: 'Stops selling a bundle of the caller’s, or sells it again. Buyers keep it.',
    access: 'creator',
    body: z.object({ bundleId: Id, retired: z.boolean() }),
    output: Bundle,
  }),
  deleteBundle: route({
    method: 'POST',
    path: '/users/delete/bundle',
    summary: 'Deletes a bundle of the caller’s that nobody ever had.',
    access: 'creator',
    body: z.object({ bundleId: Id }),
    output: Success,
  }),
  bundles: route({
    method: 'GET',
    path: '/users/bundles',
    summary: 'The bundles the creator `creatorId` sells.',
    access: 'user',
    query: z.object({ creatorId: Id }),
    output: z.object({ bundles: z.array(Bundle) }),
  }),
}
