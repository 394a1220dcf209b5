from curvewise._webpage import as_json, plain


def test_no_text_can_end_the_script_that_holds_the_facts():
    assert as_json(["</script>"]) == '["\\u003c/script\\u003e"]'


def test_values_are_reduced_to_what_json_knows():
    assert plain({"missing": float("nan"), 3: ("a", 1)}) == {"missing": None, "3": ["a", 1]}
