import { Fragment, type ReactNode } from 'react'
import { DELETED_USER } from '../../../contract/orders.ts'
import { US_STATES } from '../../../contract/states.ts'
import { paths } from '../../lib/paths.ts'
import { promotionPaths } from '../../lib/promotion-paths.ts'
import { formatCount, formatMonth } from '../../ui/format.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import type { Entry } from './api.ts'
import { actionTexts, auditTexts, targetTexts as texts } from './texts.ts'

/** The two pages that the table of all paths leaves out, as few pages lead there. */
const BOOKS = '/books'
const PROGRAM = '/dashboard/subredditprogram'

type Named = { username: string | null }

/** What happened as a sentence, with links to whom and what it names. */
export function EntrySentence({ entry }: { entry: Entry }) {
  const { did } = actionTexts[entry.action]
  const words = typeof did === 'string' ? did : did(entry.facts)
  return (
    <>
      {entry.actor ? <Name person={entry.actor} /> : auditTexts.server}{' '}
      {words.split(/\{(\w+)\}/).map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of an entry never change.
        <Fragment key={index}>{index % 2 === 0 ? text : <Part name={text} entry={entry} />}</Fragment>
      ))}
      .
    </>
  )
}

/** What stands in braces in the words of an action. */
function Part({ name, entry: { target, facts } }: { name: string; entry: Entry }): ReactNode {
  if (name === 'target') return <Target target={target} facts={facts} />
  if (name === 'id') return target._id
  if (name === 'person') return facts.person ? <Name person={facts.person} /> : texts.someone
  if (name === 'amount') return facts.amount ?? texts.someAmount
  if (name === 'month') return facts.month ? formatMonth(facts.month) : ''
  return facts.name ?? ''
}

/** A person, and the way to their profile while they have one. */
function Name({ person: { username } }: { person: Named }) {
  if (username === null) return DELETED_USER
  return <TextLink to={paths.profile(username)}>{username}</TextLink>
}

type Of = Pick<Entry, 'target' | 'facts'>

const TARGETS: Record<Entry['target']['kind'], (of: Of) => ReactNode> = {
  user: ({ target }) => <Name person={target.owner ?? { username: null }} />,
  media: ({ target }) => (
    <>
      <Way to={target.exists && paths.media(target._id)}>{texts.item}</Way>
      <Owner of={target} word={texts.by} />
    </>
  ),
  'message-report': () => <TextLink to={paths.messageReports}>{texts.messageReport}</TextLink>,
  order: ({ target }) => <TextLink to={paths.payment(target._id)}>{texts.payment}</TextLink>,
  finding: () => <TextLink to={paths.payments}>{texts.finding}</TextLink>,
  adjustment: () => <TextLink to={BOOKS}>{texts.adjustment}</TextLink>,
  payout: ({ target, facts: { amount } }) => (
    <>
      <TextLink to={paths.payouts}>{texts.payout}</TextLink>
      {amount && ` ${texts.of} ${amount}`}
      <Owner of={target} word={texts.to} />
    </>
  ),
  payouts: ({ facts: { count = 0 } }) => (
    <TextLink to={paths.payouts}>{formatCount(count, 'payout')}</TextLink>
  ),
  payout_export: () => <TextLink to={paths.payouts}>{texts.payoutExport}</TextLink>,
  subscription: ({ target }) => (
    <>
      {texts.subscription}
      <Owner of={target} word={texts.to} />
    </>
  ),
  subreddit_affiliate: ({ facts }) => <TextLink to={PROGRAM}>{`r/${facts.name ?? ''}`}</TextLink>,
  subreddit: ({ target }) => (
    <Way to={target.exists && promotionPaths.subreddit(target._id)}>{`r/${target._id}`}</Way>
  ),
  'subreddit-list': ({ target }) => (
    <Way to={target.exists && promotionPaths.editList(target._id)}>{texts.subredditList}</Way>
  ),
  region: ({ target, facts }) => <TextLink to={paths.regions}>{facts.name ?? target._id}</TextLink>,
  state: ({ target }) => (
    <TextLink to={paths.regions}>
      {US_STATES.find(({ code }) => code === target._id)?.name ?? target._id}
    </TextLink>
  ),
  installation: () => null,
}

function Target({ target, facts }: Of) {
  return TARGETS[target.kind]({ target, facts })
}

/** Whose it is, after the word that says so. */
function Owner({ of, word }: { of: Entry['target']; word: string }) {
  return (
    of.owner && (
      <>
        {` ${word} `}
        <Name person={of.owner} />
      </>
    )
  )
}

/** A link, or its words alone where nothing is there anymore. */
function Way({ to, children }: { to: string | false; children: string }) {
  return to === false ? children : <TextLink to={to}>{children}</TextLink>
}
