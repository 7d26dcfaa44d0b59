/** Of the menu on a phone alone, which comes when it is opened. */
export const menuTexts = {
  account: 'Your account',
  notifications: 'Notifications',
  billing: 'Billing',
  following: 'Following',
  editProfile: 'Edit profile',
  security: 'Security',
} as const
