/** What happens after signing up, logging in, or verifying an email. */
export const wishCardTexts = {
  label: 'What’s next',
  next: 'You’ll go straight back to it.',
} as const
