/** The actions on one’s own profile. */
export const ownTexts = {
  edit: 'Edit profile',
  manageMedia: 'Manage media',
  premiumContent: 'Your shop',
  upload: 'Upload',
} as const
