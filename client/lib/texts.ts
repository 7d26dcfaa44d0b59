/** Messages for calls that the server didn't answer itself. */
export const callTexts = {
  slow: 'The service is taking too long to respond. Please try again in a moment.',
  unreachable: 'We can’t reach the service. Check your connection and try again.',
  unexpected: 'We got an unexpected response. Please try again in a moment.',
  loggedOut: 'You’re logged out.',
  sessionEnded: 'Your session ended. Please try again.',
  outdated: 'A new version is ready. Save or copy what you’ve typed, then reload the page.',
  notLoaded: 'Reload the page to try again.',
  failed: 'Something went wrong. Please try again.',
} as const
