/** After the address of a page was handed on. */
export const sharedTexts = {
  copied: 'Link copied',
  /** Where the browser neither shares nor copies. */
  failed: (url: string) => `Your browser can’t copy this link: ${url}`,
} as const
