import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { toast } from '../../../ui/toast.ts'
import { useBlock } from '../parts/people/api.ts'
import { blockedQuery, type Listed } from '../people/api.ts'
import { PeopleList } from '../people/PeopleList.tsx'
import { blockTexts as texts } from '../people/texts.ts'

/** The people whom the person blocked, each with a button to unblock. */
export function BlockedPeople() {
  const block = useBlock()
  const unblock = (person: Listed) =>
    // Each is told of, also where another one follows before its answer.
    block.mutateAsync({ blockedId: person._id, blocked: false }).then(
      () => toast.success(texts.unblocked(person.username)),
      (error) => toast.failure(errorMessage(error)),
    )
  return (
    <PeopleList
      label={texts.listTitle}
      query={blockedQuery}
      byButton
      empty={
        <EmptyState title={texts.nobody} compact>
          {texts.nobodyHint}
        </EmptyState>
      }
      action={(person) => (
        <Button
          variant="default"
          size="sm"
          aria-label={texts.unblockPerson(person.username)}
          loading={block.isPending && block.variables.blockedId === person._id}
          onClick={() => unblock(person)}
        >
          {texts.unblock}
        </Button>
      )}
    />
  )
}
