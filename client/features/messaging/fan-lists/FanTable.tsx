import { IconMessageCircle, IconUsers } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { formatDate, withCents } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { type Fan, type FanList, fanListsQuery, fanTableQuery } from './api.ts'
import styles from './fan-lists.module.css'
import { fanTexts as texts } from './texts.ts'

const FanDialog = lazyPart(() => import('./FanDialog.tsx').then((module) => module.FanDialog))
const ListsDialog = lazyPart(() => import('./ListsDialog.tsx').then((module) => module.ListsDialog))

const KINDS = ['all', 'followers', 'subscribers', 'expired'] as const
const SORTS = ['newest', 'spent'] as const

type FanTableProps = {
  search: string
  /** More actions for a fan, at the end of their row. */
  actions: (fan: Fan) => React.ReactNode
}

/** The creator's fans of a kind or a list, the newest or who spent most first; the address says which. */
export function FanTable({ search, actions }: FanTableProps) {
  const [parameters, change] = useAddress()
  const lists = useQuery(fanListsQuery).data?.items ?? []
  const group = parameters.get('group') ?? 'all'
  const kind = KINDS.find((one) => one === group)
  const list = lists.find(({ _id }) => _id === group)
  const sort = SORTS.find((one) => one === parameters.get('sort')) ?? 'newest'
  const chosen = kind
    ? { showing: kind }
    : list
      ? { showing: 'list' as const, listId: list._id }
      : { showing: 'all' as const }
  const fans = useList({
    ...fanTableQuery({ ...chosen, sort, filter: search }),
    placeholderData: keepPreviousData,
  })
  const [opened, setOpened] = useState<Fan | null>(null)
  const [managing, setManaging] = useState(false)
  const [fanNeeded, listsNeeded] = [useLatch(opened !== null), useLatch(managing)]
  return (
    <>
      <div className={styles.tools}>
        <SelectField
          label={texts.showing}
          value={kind ?? list?._id ?? 'all'}
          onChange={(value) => change({ group: value })}
          choices={[
            ...KINDS.map((value) => ({ value, label: texts[value] })),
            ...lists.map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
        />
        <SelectField
          label={texts.sort}
          value={sort}
          onChange={(value) => change({ sort: value })}
          choices={SORTS.map((value) => ({ value, label: texts[value] }))}
        />
        <Button variant="default" onClick={() => setManaging(true)}>
          {texts.manage}
        </Button>
      </div>
      <GrowingList
        list={fans}
        failed={texts.failed}
        waiting={<SkeletonLines lines={6} />}
        empty={<Nothing search={search} narrowed={chosen.showing !== 'all'} />}
      >
        <ul className={styles.list} aria-label={texts.fans}>
          {fans.items.map((fan) => (
            <FanRow key={fan._id} fan={fan} lists={lists} onOpen={() => setOpened(fan)}>
              {actions(fan)}
            </FanRow>
          ))}
        </ul>
      </GrowingList>
      {fanNeeded && <FanDialog person={opened} onClose={() => setOpened(null)} />}
      {listsNeeded && <ListsDialog opened={managing} onClose={() => setManaging(false)} />}
    </>
  )
}

function Nothing({ search, narrowed }: { search: string; narrowed: boolean }) {
  if (search) return <EmptyState title={texts.noResults(search)}>{texts.noResultsHint}</EmptyState>
  return (
    <EmptyState Icon={IconUsers} title={narrowed ? texts.noneHereTitle : texts.noneTitle}>
      {narrowed ? texts.noneHere : texts.none}
    </EmptyState>
  )
}

type FanRowProps = { fan: Fan; lists: readonly FanList[]; onOpen: () => void; children: React.ReactNode }

function FanRow({ fan, lists, onOpen, children }: FanRowProps) {
  const { _id, username, profileImage, since, spent, subscription, listIds, note } = fan
  const about = [
    texts.spentHere(withCents(spent)),
    texts.state[subscription],
    since && texts.since(formatDate(since)),
  ]
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <Link to={paths.profile(username)} className={styles.person}>
          <Avatar src={profileImage} name={username} size={44} />
          <span className={styles.name}>{username}</span>
        </Link>
        <p className={styles.about}>
          <span>{about.filter(Boolean).join('\u00a0· ')}</span>
          {lists.map((list) => listIds.includes(list._id) && <Tag key={list._id}>{list.name}</Tag>)}
        </p>
        {note && <p className={styles.note}>{note}</p>}
      </div>
      <div className={styles.actions}>
        <Button variant="default" size="sm" aria-label={texts.editOf(username)} onClick={onOpen}>
          {texts.edit}
        </Button>
        <LinkButton
          variant="default"
          size="sm"
          className={styles.message}
          to={paths.chat(_id)}
          aria-label={texts.messageTo(username)}
        >
          <IconMessageCircle size={20} stroke={1.75} aria-hidden />
        </LinkButton>
        {children}
      </div>
    </li>
  )
}
