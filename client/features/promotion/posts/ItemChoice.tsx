import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../lib/paths.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { formatDate } from '../../../ui/format.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { promotingQuery } from './api.ts'
import styles from './posts.module.css'
import { postTexts as texts } from './texts.ts'

type ItemChoiceProps = { value: string; onChange: (mediaId: string) => void; error: string | undefined }

/** One of the person’s own items that promote; only those may be shown on the forum. */
export function ItemChoice({ value, onChange, error: wrong }: ItemChoiceProps) {
  const { data, error, isPending, refetch } = useQuery(promotingQuery)
  if (isPending) return <SkeletonLines lines={2} />
  if (!data) return <ErrorState title={texts.failed} error={error} onRetry={() => void refetch()} />
  if (data.items.length === 0)
    return (
      <p className={styles.quiet}>
        {texts.noItems} <TextLink to={paths.manageMedia}>{texts.library}</TextLink>
      </p>
    )
  return (
    <SelectField
      label={texts.item}
      value={value}
      onChange={onChange}
      error={wrong}
      choices={[
        { value: '', label: texts.chooseItem },
        ...data.items.map(({ _id, title, createdAt }) => ({
          value: _id,
          label: `${title || texts.untitled} · ${formatDate(createdAt)}`,
        })),
      ]}
    />
  )
}
