export const copyTexts = {
  button: 'Download a copy',
  buttonOf: (title: string, subreddit: string) => `Download a copy of “${title}” for r/${subreddit}`,
  choices: {
    wanted: (subreddit: string) => `As r/${subreddit} asks`,
    named: 'With my forum username',
    clean: 'Without a username',
  },
  making: 'We’re preparing a copy of your video. The download starts when it’s ready.',
  late: 'The copy isn’t ready yet. Try again in a few minutes.',
  saved: {
    named: (account: string) => `Downloaded with u/${account} in the corner and no metadata.`,
    clean: 'Downloaded without a username or metadata.',
  },
  notWanted: {
    named: (subreddit: string) => `Note that r/${subreddit} asks for your username on it.`,
    clean: (subreddit: string) => `Note that r/${subreddit} doesn’t allow usernames on media.`,
  },
} as const
