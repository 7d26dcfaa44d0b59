/** The field in which tags are picked. */
export const tagTexts = {
  find: 'Search tags',
  create: (name: string) => `Create “${name}”`,
  removeAll: 'Remove all tags',
  full: (max: number) => `You can add up to ${max} tags`,
  searching: 'Searching…',
  none: 'No results',
} as const
