/** The question for the age, as the document and the application ask it; {{brand}} is the site's name. */
export const gateWords = {
  question: 'Are you 18 or older?',
  about: '{{brand}} is for adults. Some of what creators show here is not suitable for anyone younger.',
  yes: 'Yes',
  no: 'No',
  kept: 'Your answer is kept in a cookie on this device, so that we ask only once.',
} as const

/** Where somebody goes who says no. */
export const ELSEWHERE = 'https://duckduckgo.com/'
