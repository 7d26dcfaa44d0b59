/** Picking people by their usernames. */
export const peopleFieldTexts = {
  find: 'Find people',
  placeholder: 'Username',
  failed: 'We couldn’t search for people',
  remove: (username: string) => `Remove ${username}`,
} as const
