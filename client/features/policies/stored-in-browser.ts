/**
 * The contents of the browser's storage, by the beginning of the key, in the words of the privacy policy. A test
 * compares it with what the client writes.
 */
export const STORED_IN_BROWSER = [
  { keys: ['token', 'tokenLine'], what: 'your login' },
  { keys: ['color-scheme'], what: 'dark or light mode, if you chose one' },
  { keys: ['ref', 'rid'], what: 'the referral code of the link you followed, until you sign up' },
  { keys: ['postVisits'], what: 'which posts’ links you followed, for 7 days or until you log in' },
  { keys: ['countedPosts'], what: 'which posts’ links were counted, until you close the tab' },
  { keys: ['postLoginRedirect'], what: 'the page to return to after you log in' },
  { keys: ['ageCheckRedirect'], what: 'the page to return to after an age check' },
  {
    keys: ['signup'],
    what: 'what you typed to sign up, except passwords, until you log in or close the tab',
  },
  { keys: ['wish'], what: 'what you wanted to buy before you signed up or logged in, for a day' },
  { keys: ['videoPositions'], what: 'how far you watched your last 50 videos' },
  { keys: ['uploads.'], what: 'the names, sizes, and dates of files you’re still uploading' },
  { keys: ['pushFor'], what: 'that you turned on push notifications in this browser' },
  { keys: ['quietHours'], what: 'the quiet hours you set before you turned them off' },
  { keys: ['libraryView'], what: 'whether you see your library as a grid or a list' },
  { keys: ['hideSuggestedTags'], what: 'whether you hid the suggested tags' },
  { keys: ['forumReplies'], what: 'replies to forum messages you started to write, until you close the tab' },
  { keys: ['drafts'], what: 'messages you started to write, until you log out' },
  { keys: ['unsentMessages.'], what: 'messages that aren’t sent yet, until they’re sent or you log out' },
  { keys: ['scroll-positions'], what: 'how far you scrolled on each page, until you close the tab' },
] as const
