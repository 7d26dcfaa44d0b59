/** To somebody who came by a post that leads to an offer. */
export const visitTexts = {
  offer: 'There’s a special offer for you here.',
  see: 'See the offer',
} as const
