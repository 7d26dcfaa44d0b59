import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../lib/paths.ts'
import { Fetched } from '../../../ui/Fetched.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { fanListsQuery } from '../fan-lists/api.ts'
import { fanTexts } from '../fan-lists/texts.ts'
import type { Audience } from './api.ts'
import styles from './mass-messages.module.css'
import { massTexts, composeTexts as texts } from './texts.ts'

type ListChoiceProps = {
  audience: Audience
  listId: string
  excludedListId: string
  error: string | undefined
  /** Whether it names a list that was deleted: that is said, and stays until another one is chosen. */
  isDeleted: (listId: string) => boolean
  onList: (listId: string) => void
  onExclude: (listId: string) => void
}

/** Whether a list that a message names was deleted meanwhile, as far as it is known. */
export function useIsDeleted(): (listId: string) => boolean {
  const { data } = useQuery(fanListsQuery)
  return (listId) => listId !== '' && data !== undefined && !data.items.some(({ _id }) => _id === listId)
}

/** Which list it goes to, and which one it leaves out. */
export function ListChoice(props: ListChoiceProps) {
  const lists = useQuery(fanListsQuery)
  const waiting = props.audience === 'list' ? <SkeletonLines lines={2} /> : null
  return (
    <Fetched query={lists} waiting={waiting} failed={fanTexts.listsFailed}>
      {({ items }) => <Lists lists={items} {...props} />}
    </Fetched>
  )
}

type ListsProps = ListChoiceProps & { lists: readonly { _id: string; name: string }[] }

function Lists({ lists, audience, listId, excludedListId, error, isDeleted, onList, onExclude }: ListsProps) {
  const choicesOf = (chosen: string, none: string) => [
    { value: '', label: none },
    ...(isDeleted(chosen) ? [{ value: chosen, label: massTexts.deletedList }] : []),
    ...lists.map(({ _id, name }) => ({ value: _id, label: name })),
  ]
  const deletedAt = (chosen: string) => (isDeleted(chosen) ? texts.listDeleted : undefined)
  return (
    <>
      {audience === 'list' && lists.length === 0 && (
        <>
          <p className={styles.count}>{texts.noLists}</p>
          <LinkButton variant="default" size="sm" to={paths.fans}>
            {texts.toFans}
          </LinkButton>
        </>
      )}
      {audience === 'list' && lists.length > 0 && (
        <SelectField
          label={texts.list}
          value={listId}
          onChange={onList}
          error={deletedAt(listId) ?? error}
          choices={choicesOf(listId, texts.chooseList)}
        />
      )}
      {(lists.length > 0 || isDeleted(excludedListId)) && (
        <SelectField
          label={texts.exclude}
          value={excludedListId}
          onChange={onExclude}
          error={deletedAt(excludedListId)}
          choices={choicesOf(excludedListId, texts.excludeNobody)}
        />
      )}
    </>
  )
}
