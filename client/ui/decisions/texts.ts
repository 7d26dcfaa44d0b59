/** A list of decisions. */
export const decisionTexts = {
  undo: 'Undo',
  undoOf: (name: string) => `Undo: ${name}`,
} as const
