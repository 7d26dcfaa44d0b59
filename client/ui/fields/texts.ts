/** Fields of forms. */
export const fieldTexts = { showPassword: 'Show password' } as const
