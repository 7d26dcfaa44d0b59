import { type AccountRow, allSubreddits, type Forum, findAccount, isRelated } from './store.ts'
import { type Answer, type Call, created, failure, id36, ok, type UserCall } from './wire.ts'

const publicKeys = (account: AccountRow, forum: Forum) => ({
  id: id36(account.id),
  name: account.name,
  ...created(account.createdAt),
  link_karma: account.linkKarma,
  comment_karma: account.commentKarma,
  total_karma: account.linkKarma + account.commentKarma,
  awardee_karma: 0,
  awarder_karma: 0,
  is_mod: moderated(forum, account.name).length > 0,
  is_gold: false,
  is_employee: false,
  verified: true,
  has_verified_email: true,
  icon_img: '',
  snoovatar_img: '',
  is_blocked: false,
  is_friend: false,
  accept_pms: true,
  accept_chats: true,
  accept_followers: true,
  hide_from_robots: false,
  has_subscribed: true,
  pref_show_snoovatar: false,
  subreddit: {
    display_name: `u_${account.name}`,
    name: `t5_u${id36(account.id)}`,
    url: `/user/${account.name}/`,
    over_18: true,
    subscribers: 0,
    subreddit_type: 'user',
    title: '',
    public_description: '',
  },
})

const moderated = (forum: Forum, name: string) =>
  allSubreddits(forum).filter((subreddit) => isRelated(forum, name, subreddit.name, 'moderator'))

/** The caller itself: a bare object, not a thing. */
export function me({ forum, account }: UserCall): Answer {
  const { unread } = forum.db
    .prepare(
      `select (select count(*) from messages where recipient = ?1 and readAt is null and recipientHid = 0)
        + (select count(*) from inboxComments where recipient = ?1 and readAt is null) as unread`,
    )
    .get(account.name) as { unread: number }
  return ok({
    ...publicKeys(account, forum),
    over_18: true,
    is_suspended: account.suspended === 1,
    suspension_expiration_utc: null,
    inbox_count: unread,
    has_mail: unread > 0,
    has_mod_mail: false,
    num_friends: 0,
    in_beta: false,
    modhash: null,
    oauth_client_id: forum.client.id,
    features: {},
    pref_nightmode: true,
  })
}

/** Karma by subreddit, from what was posted there. */
export function karma({ forum, account }: UserCall): Answer {
  const rows = forum.db
    .prepare(
      'select subreddit as sr, count(*) as posts from posts where author = ? and deletedAt is null group by subreddit',
    )
    .all(account.name) as { sr: string; posts: number }[]
  return ok({
    kind: 'KarmaList',
    data: rows.map(({ sr, posts }) => ({ sr, comment_karma: 0, link_karma: posts })),
  })
}

export function userAbout({ forum, params }: Call): Answer {
  const account = findAccount(forum, params.name ?? '')
  if (!account) return failure(404)
  const { name, link_karma, comment_karma, total_karma, awardee_karma, awarder_karma, ...rest } = publicKeys(
    account,
    forum,
  )
  const karmas = { link_karma, comment_karma, total_karma, awardee_karma, awarder_karma }
  const data = account.suspended
    ? { name, is_suspended: true, is_blocked: false, ...karmas }
    : { name, ...karmas, ...rest }
  return ok({ kind: 't2', data })
}

/** Not a listing; nothing at all for somebody who moderates nothing. */
export function moderatedSubreddits({ forum, params, account }: Call): Answer {
  const user = findAccount(forum, params.name ?? '')
  if (!user) return failure(404)
  const subreddits = moderated(forum, user.name).filter(({ type }) => type !== 'private')
  if (subreddits.length === 0) return ok({})
  return ok({
    kind: 'ModeratedList',
    data: subreddits.map((subreddit) => ({
      name: `t5_${subreddit.id}`,
      sr: subreddit.name,
      display_name: subreddit.name,
      sr_display_name_prefixed: `r/${subreddit.name}`,
      title: subreddit.title,
      url: `/r/${subreddit.name}/`,
      over_18: subreddit.over18,
      subscribers: subreddit.subscribers,
      subreddit_type: subreddit.type,
      icon_img: '',
      community_icon: '',
      banner_img: null,
      banner_size: null,
      icon_size: null,
      mod_permissions: account?.id === user.id ? ['all'] : [],
      user_can_crosspost: true,
      primary_color: '',
      key_color: '',
      whitelist_status: null,
      ...created(subreddit.createdAt),
    })),
  })
}
