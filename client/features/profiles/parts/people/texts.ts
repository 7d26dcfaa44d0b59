/** Picking people by their usernames. */
export const peopleFieldTexts = {
  find: 'Find people',
  placeholder: 'Username',
  remove: (username: string) => `Remove ${username}`,
} as const
