/** Refusals of the forum and of what is promoted there. */
export const promotionErrors = {
  forum_off: {
    status: 409,
    text: 'The forum isn’t set up on this site. Contact us if you need it.',
  },
  forum_down: {
    status: 503,
    text: 'The forum isn’t responding right now. Nothing was lost; please try again in a few minutes.',
  },
  forum_busy: {
    status: 503,
    text: 'We’ve reached the forum’s limit for now. Nothing was lost; please try again in a few minutes.',
  },
  forum_malformed: {
    status: 502,
    text: 'The forum sent a response that we can’t read. Please try again later, or contact us if it keeps happening.',
  },
  forum_reconnect: {
    status: 409,
    text: 'The forum no longer accepts this connection. Connect your forum account again.',
  },
  forum_not_connected: { status: 409, text: 'Connect a forum account first.' },
  forum_refused: { status: 409, text: 'The forum refused this. It may not be allowed for your account.' },
  forum_account_not_found: { status: 404, text: 'We couldn’t find this forum account.' },
  forum_accounts_full: {
    status: 409,
    text: 'You can connect up to 10 forum accounts. Disconnect one first.',
  },
  authorization_invalid: {
    status: 403,
    text: 'We couldn’t confirm this connection. It may have expired, or it was started in another browser. Please connect again.',
  },
  authorization_code_invalid: {
    status: 400,
    text: 'The forum didn’t accept this connection. Please connect again.',
    field: 'code',
  },
  authorization_incomplete: {
    status: 400,
    text: 'Some permissions are missing. Connect again, and allow everything on the list.',
    field: 'code',
  },
  subreddit_not_found: { status: 404, text: 'We couldn’t find this subreddit.' },
  subreddit_private: { status: 409, text: 'This subreddit is private, so we can’t read its rules.' },
  subreddit_banned: { status: 409, text: 'The forum closed this subreddit.' },
  subreddit_in_use: {
    status: 409,
    text: 'Creators use this subreddit in a post, their timeline, a list, or their progress, so it can’t be removed.',
  },
  subreddit_tag_not_found: { status: 404, text: 'We couldn’t find this tag.', field: 'srTagIds' },
  too_many_new_subreddits: {
    status: 409,
    text: 'Add up to 25 subreddits that are new here at a time.',
  },
  subreddit_list_not_found: { status: 404, text: 'We couldn’t find this list.', field: 'listId' },
  subreddit_list_exists: { status: 409, text: 'There’s already a list with this title.', field: 'title' },
  subreddit_lists_full: { status: 409, text: 'You can have up to 100 lists. Delete one first.' },
  post_not_found: { status: 404, text: 'We couldn’t find this post.' },
  post_media_not_found: {
    status: 404,
    text: 'This item isn’t set to Forum promotion.',
    field: 'mediaId',
  },
  copy_not_made: {
    status: 409,
    text: 'We couldn’t make this copy. Please try again, or contact us if it keeps happening.',
  },
  post_subreddit_missing: {
    status: 404,
    text: 'This post isn’t set up for this subreddit.',
    field: 'subreddit',
  },
  post_on_timeline: { status: 409, text: 'This post is already on your timeline for this subreddit.' },
  post_was_posted: { status: 409, text: 'This post was already posted in this subreddit.' },
  post_going_up: {
    status: 409,
    text: 'This post is going up right now. Change its link once your timeline shows the result.',
    field: 'link',
  },
  post_breaks_rule: { status: 409, text: 'This subreddit’s rules don’t allow this post.' },
  timeline_item_not_found: { status: 404, text: 'We couldn’t find this post on your timeline.' },
  timeline_item_settled: { status: 409, text: 'This post can no longer be changed.' },
  timeline_time_past: { status: 400, text: 'Choose a time in the future.', field: 'postTime' },
  post_offer_not_found: {
    status: 409,
    text: 'Choose one of your offers that’s open to everyone.',
    field: 'offerId',
  },
  slot_not_found: { status: 404, text: 'This recurring slot no longer exists.' },
  slots_full: { status: 409, text: 'You can have up to 100 recurring slots.' },
  timeline_move_too_many: { status: 400, text: 'You can move up to 1,000 posts at once.' },
  timeline_full: { status: 409, text: 'You can have up to 20,000 posts waiting on your timeline.' },
  queue_without_end: {
    status: 409,
    text: 'There’s no free time for this post within a year. Choose a time, or change your queue settings.',
  },
  plan_too_long: {
    status: 400,
    text: 'A plan can have up to 200 rows. Split the file.',
    field: 'text',
  },
  plan_file_unreadable: {
    status: 400,
    text: 'We can’t read this file. Save it as CSV with the columns post, subreddit, title, time, comment, flair, flair text, account, and NSFW.',
    field: 'text',
  },
  forum_account_resting: {
    status: 409,
    text: 'The forum isn’t accepting posts from this account right now. Schedule it instead.',
  },
  forum_account_posting: {
    status: 409,
    text: 'This account is posting right now. Please try again in a moment.',
  },
  forum_account_stopped: {
    status: 409,
    text: 'Posting from this account is stopped. Resume it on your timeline.',
  },
  forum_link_invalid: {
    status: 400,
    text: 'Paste the link to the post on the forum, in this subreddit.',
    field: 'link',
  },
  forum_link_shared: {
    status: 400,
    text: 'This share link doesn’t say which post it is. Open it in a browser, and paste the final URL, which has “/comments/” in it.',
    field: 'link',
  },
  forum_post_not_found: {
    status: 404,
    text: 'We can’t find this post on the forum. Check the link, or try again in a few minutes.',
    field: 'link',
  },
  forum_post_of_other: {
    status: 409,
    text: 'This is someone else’s post. Paste the link to your own post, or connect the account that posted it.',
    field: 'link',
  },
  forum_link_used: {
    status: 409,
    text: 'This link belongs to another post on your timeline.',
    field: 'link',
  },
  post_link_invalid: {
    status: 400,
    text: 'Paste a RedGifs link or ID.',
    field: 'link',
  },
  reminder_in_past: { status: 400, text: 'Choose tomorrow or a later day.', field: 'remindOn' },
  forum_message_not_found: {
    status: 404,
    text: 'Out of Sync: this message is no longer in the inbox. Load the inbox again.',
  },
  forum_deletion_unfinished: {
    status: 503,
    text: 'The forum has deleted only some of these messages so far. Delete this conversation again in a few minutes to remove the rest.',
  },
  forum_reply_sending: {
    status: 409,
    text: 'Your last reply to this message is still being sent. Wait a moment.',
  },
  forum_reply_refused: {
    status: 409,
    text: 'The forum didn’t accept this reply.',
  },
  saved_reply_not_found: { status: 404, text: 'We couldn’t find this saved reply.' },
  saved_replies_full: { status: 409, text: 'You can have up to 50 saved replies. Delete one first.' },
} as const
