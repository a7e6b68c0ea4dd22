/** What a platform command would do. */
import { Type } from 'typebox'
import { closed, count, instant, nullable, oneOf, quote, text, uuid } from '../../resources/fields.ts'
import { seq } from './asOfCommit.ts'
import { AccountSummaryResource } from './operatorAccounts.ts'
import { postingFields } from './posting.ts'

const AccountChangeResource = closed(
  {
    accountId: uuid('The account.'),
    was: nullable({
      ...AccountSummaryResource,
      description: 'As it is at that time; null where it would be opened.',
    }),
    would: AccountSummaryResource,
  },
  { title: 'AccountChange', description: 'An account before a command that is tried, and after it.' },
)

export const PreviewResource = closed(
  {
    seq,
    at: instant('When it would happen; of an `advanceTime`, where it leads to.'),
    result: oneOf(
      ['accepted', 'refused', 'repeated', 'unknown'],
      '`repeated`: one under the same `commandId` was given before and has the say. `unknown`: it concerns too much to be tried while the venue goes on.',
    ),
    error: nullable(text('Where it would be refused: the code. Otherwise null.')),
    message: nullable(text('Why it would be refused or is not tried, for people. Otherwise null.')),
    events: Type.Array(Type.Unknown({ description: 'An object with a `type`.' }), {
      description: 'What would come of it, in order.',
    }),
    postings: Type.Array(
      closed(postingFields, {
        title: 'PreviewedPosting',
        description: 'One posting of a command that is tried.',
      }),
      { description: 'What it would move, in the order of the events.' },
    ),
    accounts: Type.Array(AccountChangeResource, {
      description: 'Accounts that it concerns and would leave otherwise, in creation order.',
    }),
    house: nullable(
      closed(
        { was: quote('What the house has.'), would: quote('What it would have.') },
        {
          title: 'HouseChange',
          description:
            'The other side of all postings; null where nothing of the command is known, or comes of it.',
        },
      ),
    ),
    shards: Type.Optional(
      Type.Array(
        closed(
          { shard: count('Number of the shard.'), seq },
          { title: 'PreviewedShard', description: 'A shard that was asked, and the commit it was at.' },
        ),
        { description: 'Of a cluster: who was asked, in the order in which what they say stands here.' },
      ),
    ),
  },
  { title: 'Preview', description: 'What a platform command would do. Nothing of it has happened.' },
)
