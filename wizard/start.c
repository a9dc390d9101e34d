#include "wizard/start.h"

#include "wizard/apply.h"
#include "wizard/journal.h"
#include "wizard/plan.h"

enum wizard_start start_where(void)
{
        _cleanup_plan_ struct plan plan = {0};
        _cleanup_records_ struct records journal = {0};
        struct record_error error;

        if (is_apply_running())
                return WIZARD_ATTACH;
        if (journal_plan(&plan, &error) < 0)
                return WIZARD_NEW;
        journal_read(&journal);
        if (!journal_is_finished(&journal))
                return WIZARD_RESUME;
        return journal_is_seen(&journal) || !plan_has_summary(&plan) ? WIZARD_NEW : WIZARD_SUMMARY;
}

bool start_is_done(void)
{
        _cleanup_plan_ struct plan plan = {0};
        struct record_error error;

        return start_where() == WIZARD_NEW && journal_plan(&plan, &error) == 0;
}
