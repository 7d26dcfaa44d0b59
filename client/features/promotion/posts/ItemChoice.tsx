import { paths } from '../../../lib/paths.ts'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { formatDate } from '../../../ui/format.ts'
import { useAllPages, useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { promotingQuery } from './api.ts'
import styles from './posts.module.css'
import { postTexts as texts } from './texts.ts'

type ItemChoiceProps = { value: string; onChange: (mediaId: string) => void; error: string | undefined }

/** One of the person’s own items that promote; only those may be shown on the forum. */
export function ItemChoice({ value, onChange, error }: ItemChoiceProps) {
  const { items, first, ...list } = useList(promotingQuery)
  useAllPages(list, true)
  // All of them or none: what is missing below would seem not to promote.
  const all = list.hasNextPage ? undefined : first
  return (
    <Fetched query={{ ...list, data: all }} waiting={<SkeletonLines lines={2} />} failed={texts.failed}>
      {() =>
        items.length === 0 ? (
          <>
            <p className={styles.quiet}>
              {texts.noItems} <TextLink to={paths.manageMedia}>{texts.library}</TextLink>
            </p>
            {error && <FormError>{error}</FormError>}
          </>
        ) : (
          <SelectField
            label={texts.item}
            value={value}
            onChange={onChange}
            error={error}
            choices={[
              { value: '', label: texts.chooseItem },
              ...items.map(({ _id, title, createdAt }) => ({
                value: _id,
                label: `${title || texts.untitled} · ${formatDate(createdAt)}`,
              })),
            ]}
          />
        )
      }
    </Fetched>
  )
}
