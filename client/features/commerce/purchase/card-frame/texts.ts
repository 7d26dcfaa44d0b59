/** Labels of the card fields, which the build puts into `card-frame.html`. */
export const cardLabels = {
  number: 'Card number',
  expiry: 'Expiration date',
  code: 'Security code',
} as const

/** The card fields and what is wrong with them. */
export const cardTexts = {
  title: 'Card details',
  notLoaded: 'Accept.js not loaded',
  enterNumber: 'Enter your card number.',
  enterExpiry: 'Enter the expiration date as MM/YY.',
  enterCode: 'Enter the 3- or 4-digit security code.',
  wrongNumber: 'This card number is invalid.',
  wrongMonth: 'This month is invalid.',
  wrongYear: 'This year is invalid.',
  expired: 'This card has expired.',
  wrongCode: 'This security code is invalid.',
  unanswered: 'The payment service didn’t respond. You have not been charged.',
  check: 'Please check your card details. You have not been charged.',
  refused:
    'The payment service couldn’t accept these card details. You have not been charged. Please try again in a moment.',
} as const
