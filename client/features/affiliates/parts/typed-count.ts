/** A count as somebody types it, with or without separators: `2,500`. NaN where it is none. */
export const typedCount = (text: string): number => Number(text.replace(/[\s,.]/g, ''))
