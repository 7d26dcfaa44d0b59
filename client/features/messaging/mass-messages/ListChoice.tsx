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
import { composeTexts as texts } from './texts.ts'

type ListChoiceProps = {
  audience: Audience
  listId: string
  excludedListId: string
  error: string | undefined
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

type ListsProps = ListChoiceProps & { lists: readonly { _id: string; name: string }[] }

function Lists({ lists, audience, listId, excludedListId, error, onList, onExclude }: ListsProps) {
  const choices = lists.map(({ _id, name }) => ({ value: _id, label: name }))
  if (lists.length === 0) {
    return audience === 'list' ? (
      <>
        <p className={styles.count}>{texts.noLists}</p>
        <LinkButton variant="default" size="sm" to={paths.fans}>
          {texts.toFans}
        </LinkButton>
      </>
    ) : null
  }
  return (
    <>
      {audience === 'list' && (
        <SelectField
          label={texts.list}
          value={listId}
          onChange={onList}
          error={error}
          choices={[{ value: '', label: texts.chooseList }, ...choices]}
        />
      )}
      <SelectField
        label={texts.exclude}
        value={excludedListId}
        onChange={onExclude}
        choices={[{ value: '', label: texts.excludeNobody }, ...choices]}
      />
    </>
  )
}
