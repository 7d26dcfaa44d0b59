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
  excludedError: string | undefined
  onList: (listId: string) => void
  onExclude: (listId: string) => void
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

type Lists = readonly { _id: string; name: string }[]

/** Whether a list that was chosen before is none of these anymore. */
export const isDeleted = (listId: string, lists: Lists): boolean =>
  listId !== '' && !lists.some(({ _id }) => _id === listId)

type ListsProps = ListChoiceProps & { lists: Lists }

function Lists({ lists, audience, listId, excludedListId, onList, onExclude, ...props }: ListsProps) {
  const choices = lists.map(({ _id, name }) => ({ value: _id, label: name }))
  const isGone = isDeleted(excludedListId, lists)
  const gone = isGone ? [{ value: excludedListId, label: massTexts.deletedList }] : []
  return (
    <>
      {audience === 'list' && lists.length > 0 && (
        <SelectField
          label={texts.list}
          value={listId}
          onChange={onList}
          error={props.error}
          choices={[{ value: '', label: texts.chooseList }, ...choices]}
        />
      )}
      {audience === 'list' && lists.length === 0 && (
        <>
          <p className={styles.count}>{texts.noLists}</p>
          <LinkButton variant="default" size="sm" to={paths.fans}>
            {texts.toFans}
          </LinkButton>
        </>
      )}
      {(lists.length > 0 || isGone) && (
        <SelectField
          label={texts.exclude}
          value={excludedListId}
          onChange={onExclude}
          error={props.excludedError}
          choices={[{ value: '', label: texts.excludeNobody }, ...gone, ...choices]}
        />
      )}
    </>
  )
}
