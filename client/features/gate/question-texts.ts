/** The question for the age, as the document and the application ask it; {{brand}} is the site's name. */
export const questionTexts = {
  question: 'Are you 18 or older?',
  about: '{{brand}} is for adults. Some content here isn’t suitable for anyone under 18.',
  yes: 'Yes',
  no: 'No',
  kept: 'We save your answer in a cookie on this device so we only ask once.',
} as const

/** Where somebody goes who says no. */
export const ELSEWHERE = 'https://duckduckgo.com/'
