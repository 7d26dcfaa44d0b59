/** The button that asks a creator for something custom; the words of its dialog come with that. */
export const askButtonTexts = { ask: 'Custom Request' } as const
