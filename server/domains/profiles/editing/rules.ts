/** Pixels of what is kept of a person's pictures: 1:1 and 4:1, twice the size that they are shown at (docs/product.md, Limits). */
export const PICTURES = {
  profileImage: { column: 'profile_image', width: 384, height: 384 },
  profileHeroImage: { column: 'profile_hero_image', width: 1560, height: 390 },
} as const

export type PictureField = keyof typeof PICTURES

/** Whether somebody sends words that only creators have (docs/product.md, Pages); empty ones say nothing. */
export function claimsCreatorFields(
  isCreator: boolean,
  sent: { menu?: string | undefined; limits?: string | undefined },
): boolean {
  return !isCreator && Boolean(sent.menu || sent.limits)
}
