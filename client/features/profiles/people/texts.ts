/** Lists of people. */
export const peopleTexts = {
  followingTitle: 'Following',
  followingLead: 'Creators you follow, newest first.',
  followNobody: 'You’re not following anyone yet',
  followNobodyHint: 'Creators you follow appear here.',
  findCreators: 'Find creators',
  searchTitle: 'Search people',
  searchLead: 'Find people by username.',
  username: 'Username',
  usernameHint: 'Part of a username',
  people: 'People',
  noResults: (filter: string) => (filter ? `No results for “${filter}”` : 'No one here yet'),
  noResultsHint: 'Try fewer letters or another spelling.',
  creator: 'Creator',
  privateProfile: 'Private profile',
}

/** Blocking somebody, and whom one blocked. */
export const blockTexts = {
  block: 'Block',
  blockPerson: (username: string) => `Block ${username}`,
  blockTitle: (username: string) => `Block ${username}?`,
  blockEffect:
    'They won’t find your profile or media, and you’ll stop following each other. They keep what they bought, but subscriptions between you won’t renew while they’re blocked. You can undo this on your privacy page.',
  blocked: (username: string) => `${username} is blocked.`,
  unblock: 'Unblock',
  reportPerson: (username: string) => `Report ${username}`,
  unblockPerson: (username: string) => `Unblock ${username}`,
  unblocked: (username: string) => `${username} is no longer blocked.`,
  listTitle: 'Blocked people',
  nobody: 'You haven’t blocked anyone',
  nobodyHint: 'People you block can’t find you. Block someone from their profile.',
}

/** An operator suspends or reinstates somebody. */
export const suspensionTexts = {
  suspend: 'Suspend',
  suspendAccount: 'Suspend account',
  suspendPerson: (username: string) => `Suspend ${username}`,
  suspendTitle: (username: string) => `Suspend ${username}?`,
  suspendEffect:
    'They’re logged out and can’t log in. Their profile and media are hidden and can’t be bought. Buyers keep what they bought.',
  suspended: (username: string) => `${username} is suspended.`,
  reinstate: 'Reinstate',
  reinstateAccount: 'Reinstate account',
  reinstatePerson: (username: string) => `Reinstate ${username}`,
  reinstateTitle: (username: string) => `Reinstate ${username}?`,
  reinstateEffect: 'They can log in again, and their profile and media are visible and for sale again.',
  reinstated: (username: string) => `${username} is reinstated.`,
}
