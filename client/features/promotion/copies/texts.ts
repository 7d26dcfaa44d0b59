export const copyTexts = {
  button: 'Download a copy',
  buttonOf: (title: string, subreddit: string) => `Download a copy of “${title}” for r/${subreddit}`,
  choices: {
    wanted: (subreddit: string) => `As r/${subreddit} asks`,
    named: 'With my forum username',
    clean: 'Without a username',
  },
  making: 'We’re making a copy of your video. The download starts when it’s ready.',
  late: 'The copy isn’t ready yet. Try again in a few minutes.',
  saved: {
    named: (account: string) => `Your copy has u/${account} in its corner, and no metadata.`,
    clean: 'Your copy has no username on it, and no metadata.',
  },
  notWanted: {
    named: (subreddit: string) => `r/${subreddit} asks for your username on it.`,
    clean: (subreddit: string) => `r/${subreddit} doesn’t allow usernames on pictures.`,
  },
} as const
